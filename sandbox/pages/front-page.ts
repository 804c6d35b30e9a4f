// GET /: shows the complete state, newest first, with buttons to act as the payer, advance the clock and add faults.
import { html, raw } from 'hono/html';
import { clientRecords } from '../clients/records.js';
import type { Engine } from '../engine/parts.js';
import { page, type Content } from '../http/page.js';
import type { Router } from '../http/responses.js';
import { isUnderWay } from '../webhooks/delivery.js';
import { clientSection, deliverySection, floatSection } from './account-sections.js';
import { agreementSection, paymentSection, refundSection } from './agreement-sections.js';
import { faultForm, faultSection, seedForm } from './fault-section.js';
import { actButton } from './parts.js';
import { SCRIPT } from './script.js';

const newestFirst = <Item>(table: ReadonlyMap<string, Item>): Item[] => [...table.values()].toReversed();

const SECTIONS: Record<string, (engine: Engine) => Content> = {
  agreements: ({ store }) => agreementSection(newestFirst(store.agreements)),
  payments: ({ store }) => paymentSection(newestFirst(store.payments)),
  refunds: ({ store }) => refundSection(newestFirst(store.refunds)),
  clients: (engine) => clientSection(clientRecords(engine)),
  'float-accounts': ({ store }) => floatSection(newestFirst(store.floatAccounts)),
  deliveries: ({ store }) => deliverySection(newestFirst(store.deliveries)),
  faults: ({ store }) => faultSection(store.faults),
};

function frontPage(engine: Engine): Content {
  return page(
    'Payments sandbox',
    html`<main>
        <h1>Payments sandbox</h1>
        <p>A local stand-in for the payments provider. No real money moves.</p>
        ${navigation()}
        <p><button type="button" id="refresh">Refresh</button></p>
        <div class="voice">
          <p id="problem" role="alert"></p>
          <p id="status" role="status" class="quiet"></p>
        </div>
        <div id="live">
          ${head(engine)} ${Object.values(SECTIONS).map((show) => show(engine))}
          ${engine.store.faults.length === 0 ? '' : allOff()}
        </div>
        ${faultForm()} ${seedForm(engine.faults.seed())}
      </main>
      <script>
        ${raw(SCRIPT)};
      </script>`,
  );
}

function navigation(): Content {
  return html`<nav aria-label="Sections">
    <ul>
      ${Object.keys(SECTIONS).map((id) => html`<li><a href="#${id}">${id.replace('-', ' ')}</a></li>`)}
      <li><a href="#new-fault">add a fault</a></li>
    </ul>
  </nav>`;
}

const HOUR_SECONDS = 3600;
const DAY_SECONDS = 24 * HOUR_SECONDS;

function head(engine: Engine): Content {
  const { clock, settings, faults, store } = engine;
  const now = clock.iso();
  const pass = (label: string, advance_seconds: number): Content =>
    actButton({ label, about: 'the clock', path: '/clock', body: { advance_seconds } });
  const waiting = [...store.deliveries.values()].filter(isUnderWay).length;
  return html`<p>
      Sandbox time: <time datetime="${now}"><strong>${now.slice(0, 19).replace('T', ' ')} UTC</strong></time
      >. Webhooks go to <code>${settings.webhookUrl}</code>. The fault seed is <code>${faults.seed()}</code>.
    </p>
    <div class="bar">
      ${pass('Advance 1 minute', 60)} ${pass('Advance 1 hour', HOUR_SECONDS)}
      ${pass('Advance 1 day', DAY_SECONDS)} ${pass('Advance 5 days', 5 * DAY_SECONDS)}
      ${waiting === 0 ? '' : actButton({ label: `Send pending webhooks (${waiting})`, about: 'deliveries', path: '/webhooks/flush' })}
    </div>`;
}

const allOff = (): Content =>
  html`<p>
    ${actButton({ label: 'Remove all faults', about: 'faults', method: 'DELETE', path: '/faults' })}
  </p>`;

/** The page may load resources from and connect to only its own origin. */
const POLICY = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "script-src 'unsafe-inline'",
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

export function registerShowFrontPage(router: Router, engine: Engine): void {
  router.get('/', (c) => {
    engine.scheduler.catchUp();
    c.header('content-security-policy', POLICY);
    c.header('cache-control', 'no-store');
    return c.html(frontPage(engine));
  });
}

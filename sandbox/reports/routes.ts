// The settlement report of a day. A caller with a token gets a link; the link needs no token.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { operation, type Registration } from '../calls/operation.js';
import type { Engine } from '../engine/parts.js';
import { parseOrRefuse } from '../http/refusal.js';
import type { Router } from '../http/responses.js';
import { Day } from '../http/wire.schema.js';
import { settlementReport } from './settlement.js';

const LINK_LASTS_MS = 15 * 60_000;

const Path = z.object({ date: Day });

// POST /merchant_reports/payto_settlement/{date}/download: answers 201 with a temporary link. Its scope is not documented; we
// require the scope that reads payments.
const download = operation(
  {
    name: 'download_settlement_report',
    method: 'POST',
    path: '/merchant_reports/payto_settlement/:date/download',
    scope: 'pay_to_payments',
    bodyIsOptional: true,
  },
  ({ params, path }, engine) => {
    const { date } = parseOrRefuse(Path, params, 400);
    const { clock, settings } = engine;
    const expiresMs = clock.now() + LINK_LASTS_MS;
    const query = new URLSearchParams({
      expires: String(expiresMs),
      signature: signature(engine, date, expiresMs),
    });
    const url = `${settings.baseUrl}/reports/payto_settlement/${date}?${query.toString()}`;
    const download_link = { url, expires_at: new Date(expiresMs).toISOString() };
    const data = {
      id: `urn:sandbox:data:artefact:payto-settlement.${date.replaceAll('-', '')}.csv`,
      type: 'merchant_reports',
      attributes: { type: 'payto_settlement', download_link },
      links: { download: { href: `${settings.baseUrl}${path}`, meta: { method: 'POST' } } },
    };
    return { status: 201, body: { data } };
  },
);

// GET the link: the report without a token, or 403 if the link has expired or its signature is wrong.
const Link = z.object({ expires: z.coerce.number().int(), signature: z.string() });

function registerReport(router: Router, engine: Engine): void {
  router.get('/reports/payto_settlement/:date', (c) => {
    const date = c.req.param('date');
    const link = Link.safeParse(c.req.query()).data;
    const isGood = link !== undefined && link.expires > engine.clock.now() && isSigned(engine, date, link);
    const status = isGood ? 200 : 403;
    engine.ledger.append({
      kind: 'call',
      operation: 'get_settlement_report',
      status,
      resource_uid: null,
      fault: null,
    });
    if (!isGood) return c.body(null, status);
    return c.body(settlementReport(engine, date), status, { 'content-type': 'text/csv; charset=utf-8' });
  });
}

function isSigned(engine: Engine, date: string, link: z.output<typeof Link>): boolean {
  const [given, good] = [Buffer.from(link.signature), Buffer.from(signature(engine, date, link.expires))];
  return given.length === good.length && timingSafeEqual(given, good);
}

function signature({ settings }: Engine, date: string, expiresMs: number): string {
  return createHmac('sha256', settings.clientSecret).update(`${date}.${expiresMs}`).digest('base64url');
}

export const REPORT_ROUTES: readonly Registration[] = [download, registerReport];

import { randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { expect, inject, onTestFinished, test } from 'vitest';
import { readTemporalEnvironment } from '../../temporal-server/config.js';
import { freePort } from '../../temporal-server/free-port.js';
import { resolveTemporal } from '../../temporal-server/binary/resolve.js';
import { startTemporal } from '../../temporal-server/start.js';
import { ensureSearchAttributes } from '../../worker/search-attributes.js';
import { AGREEMENT_WORKFLOW, agreementWorkflowId, getAgreement } from '../../workflows/agreement/contract.js';
import { isLeftOut, launchBrowser } from '../support/browser/launch.js';
import { eventually, quietly } from '../support/temporal.js';
import { A_MANDATE, fetchedAgreement, failure, only } from '../support/workflows/provider.js';
import type { Page } from 'playwright-core';
import type { Activities } from '../../activities/index.js';

const COLUMNS = [
  'namespace-workflow-table-columns',
  JSON.stringify({
    default: ['Status', 'Workflow ID', 'AgreementState', 'Awaiting', 'AwaitingSince', 'Attention'].map(
      (label) => ({ label }),
    ),
  }),
];
const ALL_MS = 120_000;

async function startWithUi() {
  const resolved = await resolveTemporal({ ...readTemporalEnvironment(), address: undefined });
  if (resolved.kind === 'external') throw new Error('expected a local Temporal server, not an external one');
  const [port, uiPort] = [await freePort(), await freePort()];
  const server = await startTemporal({ path: resolved.path, port, uiPort, logLevel: 'error' });
  onTestFinished(() => server.stop());
  const { address, uiAddress: url = '' } = server;
  const connection = await Connection.connect({ address });
  onTestFinished(() => connection.close());
  const client = new Client({ connection });
  await ensureSearchAttributes(client);
  return { address, url, client };
}

type Create = Activities['createAgreement'];

async function startWorker(address: string, taskQueue: string, createAgreement: Create): Promise<void> {
  quietly();
  const connection = await NativeConnection.connect({ address });
  const activities = only({ createAgreement });
  const workflowBundle = { codePath: inject('workflowBundle') };
  const worker = await Worker.create({ connection, taskQueue, workflowBundle, activities });
  const running = worker.run();
  onTestFinished(async () => {
    worker.shutdown();
    await running;
    await connection.close();
  });
}

async function anAgreement(
  { client, address }: { client: Client; address: string },
  create: Create,
  shown: string,
) {
  const uid = `agr-${randomUUID()}`;
  const [taskQueue, workflowId] = [`queue-${uid}`, agreementWorkflowId(uid)];
  await startWorker(address, taskQueue, create);
  const args = [{ uid, connectionId: 'acme', mandate: A_MANDATE }];
  const handle = await client.workflow.start(AGREEMENT_WORKFLOW, { taskQueue, workflowId, args });
  await eventually(
    () => client.workflow.count(`AgreementUid = "${uid}" AND ${shown}`),
    ({ count }) => count === 1,
  );
  const { awaiting } = await handle.query(getAgreement);
  return { uid, workflowId, since: new Date(awaiting.since) };
}

const inState = (temporal: { client: Client; address: string }, state: string) =>
  anAgreement(
    temporal,
    ({ uid }) => Promise.resolve(fetchedAgreement(uid, state)),
    `AgreementState = "${state}"`,
  );

const flagged = (temporal: { client: Client; address: string }) =>
  anAgreement(temporal, () => Promise.reject(failure('forbidden')), 'Attention = "forbidden"');

async function openBrowser(): Promise<Page> {
  const browser = await launchBrowser();
  const context = await browser.newContext({ locale: 'en-US', timezoneId: 'UTC' });
  await context.addInitScript({ content: `localStorage.setItem(...${JSON.stringify(COLUMNS)})` });
  return context.newPage();
}

const shownInList = (instant: Date): string =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' })
    .format(instant)
    .replace(/\s[AP]M$/, '');
const shownOnPage = (instant: Date): string => `${instant.toISOString().slice(0, 19).replace('T', ' ')} UTC`;

test.skipIf(isLeftOut)(
  'Temporal UI shows the state, wait and flags of an agreement in lists and details',
  async () => {
    const temporal = await startWithUi();
    const waiting = await inState(temporal, 'created');
    const settled = await inState(temporal, 'active');
    const page = await openBrowser();
    const rowOf = ({ uid }: { uid: string }) => page.getByRole('row').filter({ hasText: uid });

    const list = `${temporal.url}/namespaces/default/workflows`;
    await page.goto(list);
    const row = await rowOf(waiting).innerText();
    expect(row.split('\t').map((cell) => cell.trim())).toEqual(
      expect.arrayContaining([waiting.workflowId, 'created', 'payer-decision']),
    );
    expect(row).toContain(shownInList(waiting.since));
    expect(await rowOf(settled).innerText()).toMatch(/\bactive\b.*\bnothing\b/s);

    await page.goto(`${list}?query=${encodeURIComponent('Awaiting="payer-decision"')}`);
    expect(await rowOf(waiting).innerText()).toContain('payer-decision');
    expect(await rowOf(settled).count()).toBe(0);

    await page.goto(`${list}/${encodeURIComponent(waiting.workflowId)}`);
    await page.getByTestId('user-metadata-tab').click();
    const words = page.frameLocator('#user-metadata-current-details').locator('body');
    await words.getByText(`Agreement ${waiting.uid} is created`).waitFor();
    expect(await words.innerText()).toContain(
      `Waiting for the payer’s decision, since ${shownOnPage(waiting.since)}`,
    );
    expect(await words.innerText()).toContain('Next: The payer accepts or declines');

    const needy = await flagged(temporal);
    await page.goto(`${list}?query=${encodeURIComponent('Attention="forbidden"')}`);
    expect(await rowOf(needy).innerText()).toMatch(/\bpending\b.*\breauthorisation\b.*\bforbidden\b/s);
    expect(await rowOf(settled).count()).toBe(0);
    await page.goto(`${list}?query=${encodeURIComponent('Attention="overdue"')}`);
    await page.getByText('No Workflows').first().waitFor();
    expect(await rowOf(needy).count()).toBe(0);

    await page.goto(`${list}/${encodeURIComponent(needy.workflowId)}`);
    await page.getByTestId('user-metadata-tab').click();
    await words.getByText(`Agreement ${needy.uid} is pending`).waitFor();
    expect(await words.innerText()).toContain(`forbidden since ${shownOnPage(needy.since)}`);
    expect(await words.innerText()).toContain('consent again: POST /v1/connections/acme/reauthorisation');
  },
  ALL_MS,
);

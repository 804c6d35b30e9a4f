// A separate process: the client of the comparisons, and so the counterpart of the product's API. It starts and signals the workflows, as
// its parent requests or as the sandbox's webhooks report. It ends when its parent does.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { Client, Connection } from '@temporalio/client';
import { dataConverterFor } from '../../sealing/data-converter.js';
import { parseKeyring } from '../../sealing/keyring.js';
import { LOOPBACK } from '../../temporal-server/free-port.js';
import {
  TASK_QUEUE,
  type ComparisonName,
  type ComparisonPlan,
  type Stimulus,
} from './comparison-messages.js';
import { webhookOf } from './webhooks.js';
import type { AgreementEvent } from './workflows/index.js';

const plan = await new Promise<ComparisonPlan>((resolve) => process.once('message', resolve));
const connection = await Connection.connect({ address: plan.temporalAddress });
const clients = new Map(plan.names.map((name) => [name, clientOf(name)]));
const server = createServer((incoming, answer) => {
  void webhookOf(incoming)
    .then(async ({ uid, happened }) => {
      if (happened === 'settled' || isAgreementEvent(happened))
        await apply({ to: 'duties', uid, does: happened });
      answer.writeHead(200).end();
    })
    .catch((error: unknown) => answer.destroy(error instanceof Error ? error : undefined));
});
server.listen(plan.webhookPort, LOOPBACK);
await once(server, 'listening');
/** A signal must not overtake the start of its workflow. A failure ends the process, and so the measurement. */
const latest = new Map<string, Promise<void>>();
process.on('message', (stimulus: Stimulus) => {
  const before = latest.get(stimulus.uid) ?? Promise.resolve();
  latest.set(
    stimulus.uid,
    before.then(() => apply(stimulus)),
  );
});
process.once('disconnect', () => process.exit(0));
process.send?.('ready');

function clientOf(name: ComparisonName): Client {
  if (name !== 'duties') return new Client({ connection, namespace: name });
  const keyring = parseKeyring(plan.duties.encryptionKey);
  return new Client({
    ...{ connection, namespace: name, dataConverter: dataConverterFor({ keyring, namespace: name }) },
  });
}

async function apply({ to, uid, does }: Stimulus): Promise<void> {
  const workflow = clients.get(to)?.workflow;
  const workflowType = to === 'empty' ? 'emptyAgreement' : 'bareAgreement';
  if (does === 'start')
    await workflow?.start(workflowType, { workflowId: uid, taskQueue: TASK_QUEUE, args: [uid] });
  else if (does === 'settled') await workflow?.getHandle(uid).signal('settled');
  else await workflow?.getHandle(uid).signal('happened', does);
}

function isAgreementEvent(happened: string): happened is AgreementEvent {
  return ['created', 'activated', 'suspended', 'reactivated', 'cancelled'].includes(happened);
}

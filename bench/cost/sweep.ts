// The cost of a sweep over agreements that match the provider's: requests, and events in their histories.
import { anAgreement } from '../../cli/first-commands.js';
import { UnexpectedAnswer } from '../../cli/api/http.js';
import { announced, eventually } from '../../cli/api/waiting.js';
import { CONNECTION, type CostStack } from './stack.js';
import { countersOf } from './counters.js';
import { workflowIdOf } from './life.js';
import type { Figure } from '../figures.js';

const AGREEMENTS = 2000;
const AT_A_TIME = 12;
const ALL_MS = 600_000;
const SWEEP_MS = 120_000;
const STARTED_MS = 60_000;

export async function sweepOfTheUnchanged(stack: CostStack): Promise<Figure[]> {
  await stack.setLimit(2 * AGREEMENTS);
  const uids = Array.from({ length: AGREEMENTS }, (_, index) => `cost-sweep-${index}`);
  await startAll(stack, uids);
  const before = await eventsOf(stack, uids);
  const requested = await callsOf(stack);
  const sweeps = await sweepsIn(stack);
  await stack.temporal.schedule.getHandle(`sweep/${CONNECTION}`).trigger();
  await announced(console.log, '  … waiting for the sweep', () =>
    eventually(
      () => sweepsIn(stack),
      (completed) => completed > sweeps,
      { what: 'the sweep to end', limitMs: SWEEP_MS },
    ),
  );
  const requests = (await callsOf(stack)) - requested;
  const after = await eventsOf(stack, uids);
  if (requests < AGREEMENTS / 100)
    throw new Error(`expected the sweep to read every page; found ${requests} requests`);
  return [
    { what: `sweep over ${AGREEMENTS} unchanged agreements: requests`, met: requests, limit: 25 },
    {
      what: `sweep over ${AGREEMENTS} unchanged agreements: events in all of them`,
      met: after - before,
      limit: 0,
    },
  ];
}

/** The number of completed sweeps: one may have run on schedule. */
const sweepsIn = async ({ temporal }: CostStack): Promise<number> =>
  (await temporal.workflow.count("WorkflowType = 'sweep' AND ExecutionStatus = 'Completed'")).count;

async function startAll(stack: CostStack, uids: readonly string[]): Promise<void> {
  for (let from = 0; from < uids.length; from += AT_A_TIME) {
    if (from % 400 === 0) console.log(`  … ${from} of ${uids.length} agreements started`);
    await Promise.all(uids.slice(from, from + AT_A_TIME).map((uid) => start(stack, uid)));
  }
  const active = "WorkflowType = 'agreement' AND AgreementState = 'active' AND Awaiting = 'nothing'";
  await announced(console.log, '  … waiting until all are active', () =>
    eventually(
      () => stack.temporal.workflow.count(`${active} AND AgreementUid STARTS_WITH 'cost-sweep-'`),
      ({ count }) => count === uids.length,
      { what: `${uids.length} active agreements`, limitMs: ALL_MS },
    ),
  );
}

/** Retries if a busy machine does not answer in time. The uid makes repeats harmless. */
async function start({ api }: CostStack, uid: string): Promise<void> {
  await eventually(
    () =>
      api
        .createAgreement(anAgreement({ uid, connection: CONNECTION, description: 'unchanged' }), 0)
        .catch(ifBusy),
    (started) => started !== undefined,
    { what: `agreement ${uid} to be accepted`, limitMs: STARTED_MS },
  );
}

function ifBusy(error: unknown): undefined {
  if (!(error instanceof UnexpectedAnswer) || error.status !== 503) throw error;
}

async function eventsOf({ temporal }: CostStack, uids: readonly string[]): Promise<number> {
  let events = 0;
  for (let from = 0; from < uids.length; from += AT_A_TIME) {
    const some = uids.slice(from, from + AT_A_TIME);
    const counted = await Promise.all(some.map((uid) => countersOf(temporal, workflowIdOf(uid))));
    events += counted.reduce((sum, counters) => sum + counters.events, 0);
  }
  return events;
}

/** The number of calls that the provider received. */
const callsOf = async ({ provider }: CostStack): Promise<number> =>
  (await provider.ledger()).filter(({ kind }) => kind === 'call').length;

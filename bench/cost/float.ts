// The cost of following a float account with many entries, and of one unmatched credit.
import { boundedClient, dataOf } from '../../cli/api/client.js';
import { announced, eventually } from '../../cli/api/waiting.js';
import { CONNECTION, type CostStack } from './stack.js';
import type { Figure } from '../figures.js';

/** The sandbox's only float account. */
const ACCOUNT = '0195f1f0-7a11-7c00-8a00-f10a7acc0001';
const ENTRIES = 20_000;
const AT_A_TIME = 50;
const LIMIT_MS = 300_000;
const CASE_MS = 60_000;
const OPERATIONS = ['list_float_accounts', 'get_float_account', 'list_float_entries'];
/** `WORKFLOW_EXECUTION_STATUS_RUNNING` of Temporal's API. */
const RUNNING = 1;
const EVENT = 'float_accounts.unmatched_credit.received';

export async function floatEntries(stack: CostStack): Promise<Figure[]> {
  const client = boundedClient(stack.apiUrl, stack.apiKey, new AbortController().signal);
  await payMany(stack);
  const before = await requestsOf(stack);
  await stack.temporal.schedule.getHandle(`sweep/${CONNECTION}`).trigger();
  const read = () => dataOf(client.GET('/v1/float-accounts', { params: { query: {} } }));
  await announced(console.log, '  … waiting until all entries are stored', () =>
    eventually(read, ([account]) => (account?.entry_count ?? 0) >= ENTRIES, {
      what: `${ENTRIES} entries to be stored`,
      limitMs: LIMIT_MS,
    }),
  );
  const requests = (await requestsOf(stack)) - before;
  const run = await stack.temporal.workflow.getHandle(`float-account/${ACCOUNT}`).describe();
  const what = `following ${ENTRIES} entries`;
  return [
    { what: `${what}: requests`, met: requests, limit: 220 },
    { what: `${what}: history events`, met: run.historyLength, limit: 210 },
    { what: `${what}: bytes of history, so no entry is in it`, met: run.historySize ?? NaN, limit: 20_000 },
    ...(await unmatchedCredit(stack, client)),
  ];
}

/** Their notifications are lost, so each is only an entry. */
async function payMany({ provider }: CostStack): Promise<void> {
  await provider.loseWebhooks(ACCOUNT);
  for (let from = 0; from < ENTRIES; from += AT_A_TIME) {
    if (from % 5000 === 0) console.log(`  … ${from} of ${ENTRIES} credits received`);
    await Promise.all(
      Array.from({ length: AT_A_TIME }, (_, index) =>
        provider.payInto(ACCOUNT, 100, `credit ${from + index}`),
      ),
    );
  }
  await provider.clearFaults();
}

async function unmatchedCredit(
  stack: CostStack,
  client: ReturnType<typeof boundedClient>,
): Promise<Figure[]> {
  await stack.provider.payInto(ACCOUNT, 777, 'Rent of July');
  const [credit] = await eventually(
    () => dataOf(client.GET('/v1/unmatched-credits', { params: { query: { state: 'open' } } })),
    (found) => found.length === 1,
    { what: 'an open unmatched credit', limitMs: CASE_MS },
  );
  const uid = credit?.uid ?? '';
  // Not through the client, which would have to open the sealed memo.
  const describe = async () => {
    const execution = { workflowId: `unmatched-credit/${uid}` };
    const { workflowExecutionInfo: info } = await stack.temporal.workflowService.describeWorkflowExecution({
      ...{ namespace: 'default', execution },
    });
    return { events: Number(info?.historyLength), isOver: Number(info?.status) !== RUNNING };
  };
  const { events: open } = await describe();
  const status = await stack.repeat(uid, EVENT, stack.apiUrl);
  const repeated = (await describe()).events - open;
  if (status !== 200) throw new Error(`expected the repeated notification to be accepted, met ${status}`);
  const body = { decision: 'kept', reason: 'bench' } as const;
  await dataOf(client.POST('/v1/unmatched-credits/{uid}/resolution', { params: { path: { uid } }, body }));
  const { events } = await eventually(describe, ({ isOver }) => isOver, {
    what: 'its end',
    limitMs: CASE_MS,
  });
  return [
    { what: 'unmatched credit: events of its life', met: events, limit: 30 },
    { what: 'unmatched credit: events of a repeated notification', met: repeated, limit: 0 },
  ];
}

async function requestsOf({ provider }: CostStack): Promise<number> {
  const lines = await provider.ledger();
  return lines.filter((line) => line.kind === 'call' && OPERATIONS.includes(line.operation)).length;
}

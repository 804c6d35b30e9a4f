// Watches started rows by the states of their workflows, which one list query reads.
import { isOpen } from '../../delivery/open.js';
import { blockedBy } from '../../domain/batch/blocked.js';
import { outcomeOfState, type BatchRow, type RowAnswer, type RowRefusal } from '../../domain/batch/rows.js';
import { RESOURCES, workflowIdOf } from '../../domain/resources.js';
import { AWAITING, type AGREEMENT_STATE } from '../../workflows/contracts/search-attributes.js';
import { instantOf } from '../resource/snapshot.js';
import { isAsBefore, type Scene } from './rows.js';
import { newsOf } from './unanswered.js';
import type { SweptRow } from '../../domain/records/swept.js';
import type { Visibility } from '../temporal/visibility.js';

interface Watched {
  resource: 'agreement' | 'payment';
  attribute: typeof AGREEMENT_STATE;
  /** The state until a list shows one. */
  initial: string;
  /** Whose outcomes count. Default: those of a row that creates the resource. */
  kind?: 'retries' | undefined;
}

/** @param read reads why a row has failed or is blocked; null if that is unknown. @returns null for rows without news. */
export async function watchStates(
  scene: Scene,
  rows: readonly BatchRow[],
  { resource, attribute, initial, kind }: Watched,
  read: (uid: string, listed: RowAnswer) => Promise<RowAnswer | null>,
): Promise<(RowAnswer | null)[]> {
  const uids = rows.map(({ uid }) => uid);
  const found = await statesAmong(scene.visibility, resource, attribute, uids);
  const missing = uids.filter((uid) => !found.has(uid));
  for (const { uid, state } of await forgotten(scene, resource, missing))
    found.set(uid, { state, awaiting: undefined });
  return Promise.all(
    uids.map(async (uid) => {
      const { state = initial, awaiting } = found.get(uid) ?? {};
      const outcome = outcomeOfState(kind ?? RESOURCES[resource].plural, state, awaiting);
      if (isAsBefore(scene.task, uid, outcome, awaiting)) return null;
      const listed = { outcome, at: instantOf(scene.deps), state };
      if (outcome === 'done' || outcome === 'started') return listed;
      return newsOf(scene, { uid, state }, () => read(uid, { ...listed, awaiting: blockedBy(awaiting) }));
    }),
  );
}

interface ListedState {
  state: string | undefined;
  awaiting: string | undefined;
}

/** The rows of runs that Temporal has forgotten. It may only not list them yet, so a database that is away changes nothing. */
const forgotten = async (
  { deps }: Scene,
  resource: Watched['resource'],
  uids: readonly string[],
): Promise<SweptRow[]> => (uids.length === 0 ? [] : deps.records.rowsOf(resource, uids).catch(() => []));

/** The open run of each workflow counts, otherwise its newest run. */
async function statesAmong(
  visibility: Visibility,
  resource: Watched['resource'],
  attribute: typeof AGREEMENT_STATE,
  uids: readonly string[],
): Promise<Map<string, ListedState>> {
  const found = new Map<string, ListedState & { rank: number }>();
  const ids = uids.map((uid) => `'${workflowIdOf(resource, uid)}'`).join(', ');
  const query = `WorkflowType = '${resource}' AND ExecutionStatus != 'ContinuedAsNew' AND WorkflowId IN (${ids})`;
  for await (const run of visibility.list(query)) {
    const uid = run.workflowId.slice(workflowIdOf(resource, '').length);
    const rank = isOpen(run) ? Infinity : run.startTime.getTime();
    if (rank < (found.get(uid)?.rank ?? -1)) continue;
    const { typedSearchAttributes: attributes } = run;
    found.set(uid, { state: attributes.get(attribute), awaiting: attributes.get(AWAITING), rank });
  }
  return found;
}

/** Why a row has failed or is blocked. @param reason the provider's. @param otherwise the code of a reason without one. */
export const whyOf = (
  reason: { code?: string | undefined; title?: string | undefined } | undefined,
  otherwise: string,
  attention: readonly { code: string; detail: string }[],
): RowRefusal[] => [
  ...(reason === undefined
    ? []
    : [
        {
          code: reason.code ?? otherwise,
          pointer: '',
          detail: reason.title ?? 'the provider gave no reason',
        },
      ]),
  ...attention.map(({ code, detail }) => ({ code, pointer: '', detail })),
];

// The poll of an agreement, which awaits events that may leave the state unchanged.
import { isBefore, type Instant } from '../../domain/facts/fact.js';
import { fetchAgreementState, type Reader } from '../resource/snapshot.js';
import type { Fetched } from '../../domain/facts/snapshot.js';
import type { AgreementSnapshot } from '../../domain/agreement/lifecycle.js';
import type { WatchArgs } from '../resource/read.js';

export interface AgreementWatch extends WatchArgs {
  /** Awaited events of these types, not published before `after`. They may leave the state unchanged. */
  answers?:
    { types: readonly string[]; receivedIds: readonly string[]; after?: Instant | undefined } | undefined;
}

/** Reads only the state at first, which costs one request, unless events are awaited: those appear only in the history. */
export async function pollAgreement(
  fetch: () => Promise<Fetched<AgreementSnapshot>>,
  watch: AgreementWatch,
  reader: Reader,
): Promise<Fetched<AgreementSnapshot> | undefined> {
  const { answers, snapshotState } = watch;
  if (answers === undefined && (await fetchAgreementState(reader, watch)) === snapshotState) return undefined;
  const fetched = await fetch();
  return isNews(fetched, watch) ? fetched : undefined;
}

/** Whether a snapshot contains the awaited change. */
export const isNews = (
  { snapshot, history }: Pick<Fetched<AgreementSnapshot>, 'snapshot' | 'history'>,
  { snapshotState, answers }: Pick<AgreementWatch, 'snapshotState' | 'answers'>,
): boolean =>
  snapshot.state !== snapshotState ||
  history.some(
    ({ id, publishedAt, type }) =>
      answers?.types.includes(type) === true &&
      !(answers.after !== undefined && isBefore(publishedAt, answers.after)) &&
      !answers.receivedIds.includes(id),
  );

// In:  workflows/agreement/workflow.ts awaits something that a notification may fail to tell.
// Out: payments-api/client.ts.
import { isBefore } from '../domain/fact.js';
import { readFailure } from './failure.js';
import { glanceAtAgreement, lookAtAgreement } from './look.js';
import { waitForNextLook } from './watch.js';
import type { Instant } from '../domain/fact.js';
import type { LadderName } from '../domain/ladder.js';
import type { AgreementLook } from '../domain/snapshot.js';
import type { Dependencies } from './dependencies.js';

export interface WatchArgs {
  uid: string;
  connectionId: string;
  ladder: LadderName;
  /** The state that the resource is known to show: any other is news. */
  shown: string;
  /** Events that are awaited, though the state may stay as it is: of these types, and not from before `after`. */
  answers?: { types: readonly string[]; seen: readonly string[]; after?: Instant | undefined } | undefined;
}

export function watchAgreementActivity(deps: Dependencies) {
  /** Each attempt is one look. Nothing new fails the attempt, and Temporal makes the next one when the ladder says. */
  return async function watchAgreement(watch: WatchArgs): Promise<AgreementLook> {
    const { uid, connectionId, ladder, shown, answers } = watch;
    try {
      // Some answers leave the state as it is, and only the history tells of them.
      const isQuiet =
        answers === undefined && (await glanceAtAgreement(deps, connectionId, uid)).state === shown;
      const look = isQuiet ? undefined : await lookAtAgreement(deps, connectionId, uid);
      if (look !== undefined && isNews(look, watch)) return look;
    } catch (error) {
      throw readFailure(error);
    }
    throw waitForNextLook(ladder, `the provider still shows ${shown}`);
  };
}

/** Whether a look tells what is awaited. */
export const isNews = ({ agreement, history }: AgreementLook, { shown, answers }: WatchArgs): boolean =>
  agreement.state !== shown ||
  history.some(
    ({ id, publishedAt, type }) =>
      answers?.types.includes(type) === true &&
      !(answers.after !== undefined && isBefore(publishedAt, answers.after)) &&
      !answers.seen.includes(id),
  );

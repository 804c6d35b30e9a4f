// Reads older facts of an agreement from the provider's history, once for a reader. The agreement's own workflow is not involved.
import { ApplicationFailure, setCurrentDetails } from '@temporalio/workflow';
import { CallFailed } from '../entity/engine/runtime.js';
import { interruptibleCalls } from '../entity/engine/temporal.js';
import { readable } from '../entity/engine/publish.js';
import type { CallFailure } from '../entity/engine/call-failure.js';
import type { HistoryAnswer, HistoryQuestion, HistoryRefusal } from './contract.js';

/**
 * Fails if the provider refuses, or does not answer while the reader waits. The failure's type is the reason, its first detail a
 * HistoryRefusal. A failed question can be repeated; a successful run is reused.
 */
export async function history(question: HistoryQuestion): Promise<HistoryAnswer> {
  publish(question, 'Reading. It ends within 20 seconds with the facts or a failure.');
  try {
    const answer = await interruptibleCalls().readAgreementHistory(question);
    publish(
      question,
      `Read ${answer.facts.length} facts${answer.isLast ? ', up to the last one' : '; there are more'}.`,
    );
    return answer;
  } catch (error) {
    if (!(error instanceof CallFailed)) throw error;
    const { failure } = error;
    publish(question, `Not read: ${failure.code}. ${NOTHING_LOST}`);
    throw refusal(failure);
  }
}

const NOTHING_LOST = 'The reader gets no answer. The agreement is not affected.';

function publish({ uid, connectionId, since, stored }: HistoryQuestion, status: string): void {
  const from = since === undefined ? 'from the first one' : `after ${readable(since[0])}`;
  setCurrentDetails(
    [
      `### Older facts of agreement ${uid}`,
      `**${status}**`,
      `**Next:** nothing. The answer goes to a reader of the timeline.`,
      `- Facts ${from}, without the ${stored.length} facts in the state of agreement/${uid}, on connection/${connectionId}.`,
    ].join('\n\n'),
  );
}

function refusal({ code, status, providerCodes, requiredScope }: CallFailure): ApplicationFailure {
  const details: [HistoryRefusal] = [{ status, providerCodes, requiredScope }];
  const message = `The history was not read: ${code}.`;
  return ApplicationFailure.create({ type: code, message, nonRetryable: true, details });
}

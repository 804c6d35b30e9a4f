// Reads what the provider's history of an agreement still has of facts that are no longer kept here: once, for a reader.
// The agreement's own workflow is not touched by it.
import { ApplicationFailure, setCurrentDetails } from '@temporalio/workflow';
import { CallFailed } from '../entity/engine/runtime.js';
import { interruptibleCalls } from '../entity/engine/temporal.js';
import { readable } from '../entity/engine/publish.js';
import type { CallFailure } from '../entity/engine/call-failure.js';
import type { HistoryAnswer, HistoryQuestion, HistoryRefusal } from './contract.js';

/**
 * Fails where the provider refused, or answered nothing in the time that a reader waits: the failure's type is why, its
 * first detail a HistoryRefusal. So the same question may be asked again then, and is not where it has its answer.
 */
export async function history(question: HistoryQuestion): Promise<HistoryAnswer> {
  publish(question, 'Reading. It ends within 20 seconds, with the facts or with why not.');
  try {
    const answer = await interruptibleCalls().readAgreementHistory(question);
    publish(
      question,
      `Read ${answer.facts.length}${answer.isLast ? ', all that there are' : '; there are more'}.`,
    );
    return answer;
  } catch (error) {
    if (!(error instanceof CallFailed)) throw error;
    const { failure } = error;
    publish(question, `Not read: ${failure.code}. ${NOTHING_LOST}`);
    throw refusal(failure);
  }
}

const NOTHING_LOST = 'Only the reader is without an answer; the agreement itself is as it was.';

function publish({ uid, connectionId, since, stored }: HistoryQuestion, status: string): void {
  const from = since === undefined ? 'the very first' : `what came after ${readable(since[0])}`;
  setCurrentDetails(
    [
      `### Older facts of agreement ${uid}`,
      `**${status}**`,
      `**Next:** nothing. A reader of its timeline asked, and has the answer.`,
      `- From ${from}, without the ${stored.length} that agreement/${uid} keeps itself; on connection/${connectionId}.`,
    ].join('\n\n'),
  );
}

function refusal({ code, status, providerCodes, requiredScope }: CallFailure): ApplicationFailure {
  const details: [HistoryRefusal] = [{ status, providerCodes, requiredScope }];
  const message = `The history was not read: ${code}.`;
  return ApplicationFailure.create({ type: code, message, nonRetryable: true, details });
}

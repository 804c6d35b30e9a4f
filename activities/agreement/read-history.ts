import { olderFacts } from '../../domain/facts/timeline.js';
import { readFailure } from '../failure.js';
import type { HistoryAnswer, HistoryQuestion } from '../../workflows/history/contract.js';
import type { Dependencies } from '../dependencies.js';

type Reader = Pick<Dependencies, 'payments' | 'withAccess'>;

export function readAgreementHistoryActivity({ payments, withAccess }: Reader) {
  /** The provider returns its history newest first, so we read all of it and return only the requested part. */
  return async function readAgreementHistory(question: HistoryQuestion): Promise<HistoryAnswer> {
    const { uid, connectionId, ...requested } = question;
    try {
      const history = await withAccess(connectionId, (call) => payments.getAgreementHistory(uid, call));
      return olderFacts(history, requested);
    } catch (error) {
      throw readFailure(error);
    }
  };
}

import { olderFacts } from '../../domain/facts/timeline.js';
import { readFailure } from '../failure.js';
import type { HistoryAnswer, HistoryQuestion } from '../../workflows/history/contract.js';
import type { Dependencies } from '../dependencies.js';

type Reader = Pick<Dependencies, 'payments' | 'withAccess'>;

export function readAgreementHistoryActivity({ payments, withAccess }: Reader) {
  /** The provider shows its history newest first, so all of it is read for any part. Only that part is answered. */
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

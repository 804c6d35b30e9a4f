// The judgements that allowed each submission of a payment: at its admission, and after each wait. A retry is judged again only if it has
// to wait. Otherwise the previous judgement counts. Plain JSON and pure.
import { attemptsOf, type Attempted } from '../../domain/payment/attempts.js';
import type { Judgement, PaymentJudgement } from '../../domain/terms/judgement.js';
import type { Submission } from '../resource/state.js';

/** More than the submissions of a payment, unless the provider has refused many retries. */
const MAX_JUDGEMENTS = 20;

interface JudgedPayment extends Attempted {
  submission: Submission;
  submissionsBefore?: number | undefined;
  judgements?: PaymentJudgement[] | undefined;
}

/** Allows the next submission and replaces an unused judgement for it. */
export function applyJudgement<State extends JudgedPayment>(
  state: State,
  judgement: Judgement | undefined,
): State {
  if (judgement === undefined) return state;
  const { submission, submissionsBefore = 0, judgements = [] } = state;
  const next = submissionsBefore + submission.count + 1;
  const attempt = attemptsOf(state).at(-1)?.n ?? 1;
  const used = judgements.filter((one) => one.submission < next);
  const noted = { ...judgement, attempt, submission: next };
  return { ...state, judgements: [...used, noted].slice(-MAX_JUDGEMENTS) };
}

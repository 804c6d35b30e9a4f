// What has allowed each submission of a payment: its admission, and each answer of its agreement after a wait. A retry is not judged again
// unless it has to wait: then the judgement before it stands. Plain JSON and pure.
import { attemptsOf } from '../../domain/payment/attempts.js';
import type { Attempted } from '../../domain/payment/attempts.js';
import type { Judgement, PaymentJudgement } from '../../domain/terms/judgement.js';
import type { Submission } from '../entity/resource/state.js';

/** More than a payment has submissions, unless time and again nothing came of one. */
const MAX_JUDGEMENTS = 20;

interface JudgedPayment extends Attempted {
  submission: Submission;
  submissionsBefore?: number | undefined;
  judgements?: PaymentJudgement[] | undefined;
}

/** It allows the next submission, in place of what had allowed that one before and was never used. */
export function recordJudgement<State extends JudgedPayment>(
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

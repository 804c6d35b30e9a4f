// Why a webhook was not sent, if no request was made.
import type { WebhookProblem } from '../../domain/records/webhooks.js';

export class NotSent extends Error {
  override name = 'NotSent';

  constructor(readonly problem: WebhookProblem) {
    super(problem);
  }
}

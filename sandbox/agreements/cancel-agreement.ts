// POST A/cancellation: 202 at once; its outcome is told by an event.
import type { Engine } from '../engine.js';
import { registerOperation } from '../http/operation.js';
import type { Router } from '../http/responses.js';
import { CancellationRequest } from './action-request.schema.js';
import { findAgreement } from './find-agreement.js';
import { beginAction } from './initiator-actions.js';
import { parseBody } from './parse-body.js';
import { reasonFrom } from './reasons.js';

const OPERATION = {
  name: 'cancel_agreement',
  method: 'POST',
  path: '/payto/agreements/:uid/cancellation',
  scope: 'pay_to_cancellations',
} as const;

export function registerCancelAgreement(router: Router, engine: Engine): void {
  registerOperation(router, engine, OPERATION, ({ uid, body, version }) => {
    const { reason, narrative, sandbox } = parseBody(CancellationRequest, body, version);
    const agreement = findAgreement(engine, uid);
    beginAction(engine, agreement, {
      action: 'cancellation',
      reason: reasonFrom(reason, narrative),
      sandbox,
    });
    return { status: 202, body: null };
  });
}

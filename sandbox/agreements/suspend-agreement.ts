// POST A/suspension: 202 at once; its outcome is told by an event.
import type { Engine } from '../engine.js';
import { registerOperation } from '../http/operation.js';
import type { Router } from '../http/responses.js';
import { SuspensionRequest } from './action-request.schema.js';
import { findAgreement } from './find-agreement.js';
import { beginAction } from './initiator-actions.js';
import { parseBody } from './parse-body.js';
import { reasonFrom } from './reasons.js';

const OPERATION = {
  name: 'suspend_agreement',
  method: 'POST',
  path: '/payto/agreements/:uid/suspension',
  scope: 'pay_to_suspensions',
} as const;

export function registerSuspendAgreement(router: Router, engine: Engine): void {
  registerOperation(router, engine, OPERATION, ({ uid, body, version }) => {
    const { reason, narrative, sandbox } = parseBody(SuspensionRequest, body, version);
    const agreement = findAgreement(engine, uid);
    beginAction(engine, agreement, { action: 'suspension', reason: reasonFrom(reason, narrative), sandbox });
    return { status: 202, body: null };
  });
}

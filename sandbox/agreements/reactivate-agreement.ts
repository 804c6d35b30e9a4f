// POST A/reactivation: 202 at once; its outcome is told by an event.
import type { Engine } from '../engine.js';
import { registerOperation } from '../http/operation.js';
import type { Router } from '../http/responses.js';
import { ReactivationRequest } from './action-request.schema.js';
import { findAgreement } from './find-agreement.js';
import { beginAction } from './initiator-actions.js';
import { parseBody } from './parse-body.js';

const OPERATION = {
  name: 'reactivate_agreement',
  method: 'POST',
  path: '/payto/agreements/:uid/reactivation',
  scope: 'pay_to_reactivations',
} as const;

export function registerReactivateAgreement(router: Router, engine: Engine): void {
  registerOperation(router, engine, OPERATION, ({ uid, body, version }) => {
    const { sandbox } = parseBody(ReactivationRequest, body, version);
    const agreement = findAgreement(engine, uid);
    beginAction(engine, agreement, { action: 'reactivation', reason: null, sandbox });
    return { status: 202, body: null };
  });
}

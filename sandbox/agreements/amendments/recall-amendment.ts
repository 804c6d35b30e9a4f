// POST A/amendment/recall: 202 at once; whether it came before the payer is told by an event.
import { z } from 'zod';
import type { Engine } from '../../engine.js';
import { registerOperation } from '../../http/operation.js';
import { refuseByCode } from '../../http/refusal.js';
import type { Router } from '../../http/responses.js';
import { sandboxScript } from '../../http/wire.schema.js';
import { SIMULATIONS } from '../agreement-action.schema.js';
import { scriptFor } from '../action-script.js';
import type { Agreement } from '../agreement.schema.js';
import { findAgreement } from '../find-agreement.js';
import { parseBody } from '../parse-body.js';
import type { Amendment } from './amendment.schema.js';
import { beginRecall } from './recall.js';

const OPERATION = {
  name: 'recall_amendment',
  method: 'POST',
  path: '/payto/agreements/:uid/amendment/recall',
  scope: 'pay_to_amendment_recalls',
} as const;

const Body = z.strictObject({
  sandbox: sandboxScript(z.enum(SIMULATIONS.recall.documented)).optional(),
});

export function registerRecallAmendment(router: Router, engine: Engine): void {
  registerOperation(router, engine, OPERATION, ({ uid, body, version }) => {
    const { sandbox } = parseBody(Body, body, version);
    const agreement = findAgreement(engine, uid);
    const amendment = recallable(agreement);
    const script = scriptFor(engine, agreement, {
      action: 'recall',
      asked: sandbox,
      usual: 'successful_recall',
    });
    beginRecall(engine, { agreement, amendment }, script);
    return { status: 202, body: null };
  });
}

/** A finished amendment is one in a state that forbids it, not none: so a caller learns that it came too late. */
function recallable({ uid, amendments }: Agreement): Amendment {
  const amendment = amendments.at(-1);
  if (amendment === undefined) throw refuseByCode('ZPARE02', `agreement ${uid} has no amendment`, uid);
  const { state, recall } = amendment;
  if (recall !== null) {
    throw refuseByCode('ZPARE01', `the amendment of agreement ${uid} is being recalled`, uid);
  }
  if (state === 'created') return amendment;
  throw refuseByCode('ZPARE00', `the amendment of agreement ${uid} is ${state}, not created`, uid);
}

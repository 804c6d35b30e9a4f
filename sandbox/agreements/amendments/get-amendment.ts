// GET A/amendment: the one that is under way. A finished one is 404: its outcome is told by its event alone.
import type { Engine } from '../../engine.js';
import { registerOperation } from '../../http/operation.js';
import { refuse } from '../../http/refusal.js';
import type { Router } from '../../http/responses.js';
import { findAgreement } from '../find-agreement.js';
import { runningAmendment } from './amendment-states.js';
import { formatAmendment } from './format-amendment.js';

const OPERATION = {
  name: 'get_amendment',
  method: 'GET',
  path: '/payto/agreements/:uid/amendment',
  scope: 'pay_to_amendments',
} as const;

export function registerGetAmendment(router: Router, engine: Engine): void {
  registerOperation(router, engine, OPERATION, ({ uid }) => {
    const agreement = findAgreement(engine, uid);
    const amendment = runningAmendment(agreement);
    if (amendment === undefined) {
      throw refuse(404, 'Not Found', `No amendment of agreement ${uid} is in progress`);
    }
    return {
      status: 200,
      body: { data: formatAmendment({ agreement, amendment }, engine.settings.baseUrl) },
    };
  });
}

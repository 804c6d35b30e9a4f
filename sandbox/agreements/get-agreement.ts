// GET /payto/agreements/{uid}
import type { Engine } from '../engine.js';
import { findAgreement } from './find-agreement.js';
import { formatAgreement } from './format-agreement.js';
import { registerOperation } from '../http/operation.js';
import type { Router } from '../http/responses.js';

const OPERATION = {
  name: 'get_agreement',
  method: 'GET',
  path: '/payto/agreements/:uid',
  scope: 'pay_to_agreements',
} as const;

export function registerGetAgreement(router: Router, engine: Engine): void {
  registerOperation(router, engine, OPERATION, ({ uid, version }) => ({
    status: 200,
    body: { data: formatAgreement(findAgreement(engine, uid), engine.settings.baseUrl, version) },
  }));
}

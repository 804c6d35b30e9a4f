// Everything the provider offers on agreements.
import { registerCreateAgreement } from './create-agreement.js';
import { registerListAgreements } from './list-agreements.js';
import { registerGetAgreement } from './get-agreement.js';
import { registerReadAgreementHistory } from './read-agreement-history.js';
import type { Registration } from '../http/operation.js';

export const AGREEMENT_ROUTES: readonly Registration[] = [
  registerCreateAgreement,
  registerListAgreements,
  registerGetAgreement,
  registerReadAgreementHistory,
];

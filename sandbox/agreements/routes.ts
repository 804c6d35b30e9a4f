// Everything the provider offers on agreements.
import { registerAddIdentification } from './add-identification.js';
import { registerAmendAgreement } from './amendments/amend-agreement.js';
import { registerGetAmendment } from './amendments/get-amendment.js';
import { registerRecallAmendment } from './amendments/recall-amendment.js';
import { registerCancelAgreement } from './cancel-agreement.js';
import { registerCreateAgreement } from './create-agreement.js';
import { registerGetAgreement } from './get-agreement.js';
import { registerListAgreements } from './list-agreements.js';
import { registerReactivateAgreement } from './reactivate-agreement.js';
import { registerReadAgreementHistory } from './read-agreement-history.js';
import { registerSimulateDebtorAction } from './simulate-debtor-action.js';
import { registerSuspendAgreement } from './suspend-agreement.js';
import type { Registration } from '../http/operation.js';

export const AGREEMENT_ROUTES: readonly Registration[] = [
  registerCreateAgreement,
  registerListAgreements,
  registerGetAgreement,
  registerReadAgreementHistory,
  registerSuspendAgreement,
  registerReactivateAgreement,
  registerCancelAgreement,
  registerAmendAgreement,
  registerGetAmendment,
  registerRecallAmendment,
  registerAddIdentification,
  registerSimulateDebtorAction,
];

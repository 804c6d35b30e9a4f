// What is asked of one part of an onboarding. Types alone.
import type { AgreementInput, PaymentRequest } from '../../workflows/agreement/contract.js';
import type { ClientInput } from '../../workflows/client/contract.js';
import type { CounterpartyInput } from '../../workflows/counterparty/contract.js';

/** A part with all that it takes to begin it. */
export type PartRequest =
  | { part: 'client'; uid: string; input?: ClientInput | undefined }
  | { part: 'counterparty'; uid: string; input: CounterpartyInput }
  | { part: 'agreement'; uid: string; input: AgreementInput & { connectionId: string } }
  | { part: 'payment'; uid: string; request: PaymentRequest };

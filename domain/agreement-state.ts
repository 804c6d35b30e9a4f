// The states of a PayTo agreement, in the provider's words (facts 7.3).

// prettier-ignore
export const AGREEMENT_STATES = [
  'pending', 'created', 'active', 'suspended', 'declined', 'expired', 'cancelled', 'failed',
] as const;
export type AgreementState = (typeof AGREEMENT_STATES)[number];

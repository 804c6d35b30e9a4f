// The states of a PayTo agreement, in the provider's words (facts 7.3).

export type AgreementState =
  'pending' | 'created' | 'active' | 'suspended' | 'declined' | 'expired' | 'cancelled' | 'failed';

// The calls about who calls; the provider keeps nothing of them. No behaviour here.

export const IDENTITY_CALLS = ['ping', 'get_user'] as const;

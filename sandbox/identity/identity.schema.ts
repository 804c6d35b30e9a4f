// What the provider keeps of who calls. No behaviour here.

export const IDENTITY_CALLS = [] as const;

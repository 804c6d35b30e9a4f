// What the provider keeps of the checks on an alias or an account before an agreement. No behaviour here.

export const CHECK_CALLS = [] as const;

// What the provider keeps of float accounts and their entries. No behaviour here.

export const FLOAT_TABLES = {};

export const FLOAT_CALLS = [] as const;

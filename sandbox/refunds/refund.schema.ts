// What the provider keeps of refunds. No behaviour here.

export const REFUND_TABLES = {};

export const REFUND_TASKS = [] as const;

export const REFUND_CALLS = [] as const;

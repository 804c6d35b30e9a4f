// What the provider keeps of clients, their services and their counterparties. No behaviour here.

export const CLIENT_TABLES = {};

export const CLIENT_TASKS = [] as const;

export const CLIENT_CALLS = [] as const;

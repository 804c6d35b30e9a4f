// The ids of the facts that are of our own doing. Pure.
// They hold the keys of requests: whatever stands in them, one key's ids are never another's.

/** Of the fact that notes a command. */
export const requestId = (key: string): string => `command/${escaped(key)}`;

/** Of the fact that notes that the provider would not take it. */
export const refusalId = (key: string): string => `${requestId(key)}/refused`;

/** Of the fact that notes an operator's word. */
export const resolutionId = (key: string): string => `resolution/${escaped(key)}`;

/** Of the fact that notes a retry. */
export const retryId = (key: string): string => `retry/${escaped(key)}`;

/** Of the fact that notes which plan stands, counted from 1 for each agreement, or that it was ended. */
export const planId = (version: number, what: 'put' | 'ended'): string => `plan/${version}/${what}`;

const escaped = (key: string): string => key.replaceAll('%', '%25').replaceAll('/', '%2F');

// The ids of facts that we record ourselves. Pure.
// They contain keys of requests, escaped so that the ids of two keys never collide.

/** The id of the fact that records a command. */
export const requestId = (key: string): string => `command/${escaped(key)}`;

/** The id of the fact that records the provider's refusal of a command. */
export const refusalId = (key: string): string => `${requestId(key)}/refused`;

/** The id of the fact that records an operator's resolution. */
export const resolutionId = (key: string): string => `resolution/${escaped(key)}`;

/** The id of the fact that records a retry. */
export const retryId = (key: string): string => `retry/${escaped(key)}`;

/** The id of the fact that records a new plan or its end. @param version counted from 1 for each agreement. */
export const planId = (version: number, what: 'put' | 'ended'): string => `plan/${version}/${what}`;

const escaped = (key: string): string => key.replaceAll('%', '%25').replaceAll('/', '%2F');

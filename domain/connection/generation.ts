// The generations of the tokens of a connection. Pure.

/** The distance of a consent's generation from the previous one. No refresh in flight can reach it. */
export const CONSENT_STRIDE = 100;

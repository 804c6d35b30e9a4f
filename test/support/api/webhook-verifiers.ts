import { createVerifier } from '../../../payments-api/webhook.js';

export const WEBHOOK_SECRET = 'whsec-of-tests';
export const SECRET_OF_ACME = 'whsec-of-acme';

const verifierWith = (secrets: string[]) =>
  createVerifier({ verifier: 'hmac', secrets, signatureHeader: 'Service-Signature', toleranceSeconds: 300 });

export const WEBHOOK_VERIFIERS = {
  application: verifierWith(['an-older-secret', WEBHOOK_SECRET]),
  ofConnections: new Map([['acme', verifierWith([SECRET_OF_ACME])]]),
};

// The authorisation server.
import { registerShowConsent } from './show-consent.js';
import { registerDecideConsent } from './decide-consent.js';
import { registerIssueToken } from './issue-token.js';
import type { Registration } from '../http/operation.js';

export const OAUTH_ROUTES: readonly Registration[] = [
  registerShowConsent,
  registerDecideConsent,
  registerIssueToken,
];

// The checks on an alias or an account.
import type { Registration } from '../http/operation.js';
import { registerResolveAlias } from './resolve-alias.js';
import { registerValidateAccount } from './validate-account.js';

export const CHECK_ROUTES: readonly Registration[] = [registerResolveAlias, registerValidateAccount];

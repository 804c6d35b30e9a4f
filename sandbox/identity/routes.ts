// Who calls.
import type { Registration } from '../http/operation.js';
import { registerGetUser } from './get-user.js';
import { registerPing } from './ping.js';

export const IDENTITY_ROUTES: readonly Registration[] = [registerPing, registerGetUser];

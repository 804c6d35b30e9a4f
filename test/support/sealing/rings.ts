import { createHash, createSecretKey } from 'node:crypto';
import type { Keyring } from '../../../sealing/keyring.js';

const aKeyring = (text: string): Keyring => [
  { id: 'k1', key: createSecretKey(createHash('sha256').update(text).digest()) },
];
export const TOKEN_KEYS = aKeyring('tokens');
export const SESSION_KEYS = aKeyring('sessions');

import { createHash, createSecretKey } from 'node:crypto';
import { type Keyring, parseKeyring } from '../../../sealing/keyring.js';
import { printPublicKey, publicKeyOf } from '../../../sealing/public-key.js';

const aKeyring = (text: string): Keyring => [
  { id: 'k1', key: createSecretKey(createHash('sha256').update(text).digest()) },
];
export const TOKEN_KEYS = aKeyring('tokens');
export const SESSION_KEYS = aKeyring('sessions');

const RING = parseKeyring(`t1:${Buffer.alloc(32, 3).toString('base64')}`);
export const A_PUBLIC_KEY = printPublicKey(await publicKeyOf(RING));

// An operator's codec session in a browser: a cookie that is valid for an hour.
import { CODEC_SESSION_CONTEXT } from '../../../sealing/contexts.js';
import { keySessions, type KeySession } from '../../http/key-session.js';

export type CodecSession = Pick<KeySession, 'key' | 'expiresAtMs'>;

export const CODEC_SESSIONS = keySessions({
  cookie: 'payto_codec',
  path: '/codec',
  context: CODEC_SESSION_CONTEXT,
  lifeSeconds: 60 * 60,
});

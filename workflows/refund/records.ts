// What a refund records.
import { REFUND_LIFECYCLE } from '../../domain/refund/lifecycle.js';
import { recordOfResource } from '../resource/records.js';
import { viewOf } from './view.js';

export const REFUND_RECORD = recordOfResource({ resource: 'refund', lifecycle: REFUND_LIFECYCLE, viewOf });

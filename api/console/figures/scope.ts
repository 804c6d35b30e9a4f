// Which connections the lists of a person must name.
import type { ApiKey } from '../../http/api-keys.js';
import type { Visit } from '../visit.js';

/** A key that is bound to connections must name one of them in each list, so pages read one list for each. */
export const connectionsOf = ({
  connections,
}: Pick<ApiKey, 'connections'>): readonly (string | undefined)[] => connections ?? [undefined];

/** The connection that a person chose. A bound key without a choice gets its first one. */
export const connectionIn = ({ c, key }: Pick<Visit, 'c' | 'key'>): string | undefined =>
  c.req.query('connection')?.trim() || key.connections?.[0];

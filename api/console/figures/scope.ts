// Which connections the lists of a person must name.
import type { ApiKey } from '../../http/api-keys.js';

/** A key that is bound to connections must name one of them in each list, so pages read one list for each. */
export const connectionsOf = ({
  connections,
}: Pick<ApiKey, 'connections'>): readonly (string | undefined)[] => connections ?? [undefined];

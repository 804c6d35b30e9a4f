// What sealed things are bound to, so that one cannot be passed off as another.

export const accessContext = (connectionId: string, generation: number): string =>
  `connection/${connectionId}/access/${generation}`;
export const refreshContext = (connectionId: string, generation: number): string =>
  `connection/${connectionId}/refresh/${generation}`;
export const codeContext = (connectionId: string, round: number): string =>
  `connection/${connectionId}/code/${round}`;
/** The OAuth `state` travels through the merchant's browser and names its connection only when opened. */
export const OAUTH_STATE_CONTEXT = 'oauth-state';

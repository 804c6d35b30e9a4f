// How to reach Temporal: its own variables and profile file, read by its library.
import { loadClientConnectConfig, type ClientConnectConfig } from '@temporalio/envconfig';
import { secretOf, type Secret } from '../sealing/secret.js';

/** The connection options contain the API key and the TLS key. */
export interface TemporalSettings {
  namespace: string;
  address: string;
  /** Whether the connection uses TLS. */
  isEncrypted: boolean;
  connectionOptions: Secret<ClientConnectConfig['connectionOptions']>;
}

/** @returns undefined if the settings are invalid. The library's errors may quote the file, so we drop them. */
export function temporalSettings(overrideEnvVars: Record<string, string>): TemporalSettings | undefined {
  try {
    const { namespace = 'default', connectionOptions } = loadClientConnectConfig({ overrideEnvVars });
    const { address = 'localhost:7233', tls = false } = connectionOptions;
    return isAddress(address)
      ? { namespace, address, isEncrypted: tls !== false, connectionOptions: secretOf(connectionOptions) }
      : undefined;
  } catch {
    return undefined;
  }
}

/** Accepts only `host` or `host:port`, because we print it, and Temporal's client quotes any other form in its error message. */
const isAddress = (text: string): boolean => /^[\w.:[\]-]+$/.test(text);

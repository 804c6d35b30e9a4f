// A file as the body of a request: multipart/form-data (RFC 7578) with one part.
import { randomUUID } from 'node:crypto';

/** The name must have no quotes and no line breaks: it is written into a header of the part. */
export interface FormFile {
  name: string;
  type: string;
  bytes: Uint8Array;
}

/** The part is named `file`: the provider does not document a name. */
export function formOf({ name, type, bytes }: FormFile): { type: string; bytes: Uint8Array<ArrayBuffer> } {
  const boundary = randomUUID();
  const head = [
    `--${boundary}`,
    `content-disposition: form-data; name="file"; filename="${name}"`,
    `content-type: ${type}`,
  ];
  const parts = [`${head.join('\r\n')}\r\n\r\n`, bytes, `\r\n--${boundary}--\r\n`];
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    bytes: Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part))),
  };
}

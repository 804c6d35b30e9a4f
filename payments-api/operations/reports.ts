// Settlement reports: request a presigned link, then download it without our token (docs/provider.md#operations).
import { ReportDay } from '../requests/filter.schema.js';
import { SettlementReport } from '../answers/resources.schema.js';
import { dataOf, type Asking } from './kinds.js';
import { malformed } from '../http/judge.js';
import { requestBody } from '../requests/checked.js';
import type { Call } from '../http/send.js';
import type { Download } from '../http/download.js';
import type { Instant } from '../../domain/facts/fact.js';

export const reportOperations = (asking: Asking, download: Download) => ({
  /**
   * POST /merchant_reports/payto_settlement/{date}/download. The URL alone grants access to the report, so never log it.
   * @param date YYYY-MM-DD.
   */
  requestSettlementReport: async (
    date: string,
    call: Call,
  ): Promise<{ url: string; expiresAt: Instant | undefined }> => {
    const name = 'requestSettlementReport';
    const day = requestBody(name, ReportDay, { date }, asking).date;
    const path = `/merchant_reports/payto_settlement/${day}/download`;
    const readReport = dataOf(name, SettlementReport);
    const read = (json: unknown) => {
      const link = readReport(json).attributes?.download_link;
      if (!link?.url) throw malformed(name, 'a download link with a URL', 'none');
      return { url: link.url, expiresAt: link.expires_at };
    };
    return asking.ask({ name, method: 'POST', path, read }, call);
  },
  /**
   * GET of a report's link: the bytes of the CSV with their checksum. `rejected` after the link has expired: request another.
   */
  downloadSettlementReport: download,
});

// Results as files: CSV for spreadsheets, JSON for programs.

import { ExactNumber, writeExact, type Json } from './exact_json';

// A cell that a spreadsheet would take for a formula is quoted by an apostrophe.
export function csvCell(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'number' || value instanceof ExactNumber) return String(value);
  let text = typeof value === 'string' ? value : writeExact(value);
  if (/^[=+\-@\t\r]/.test(text)) text = `'${text}`;
  return /[",\r\n]/.test(text) || text !== text.trim() ? `"${text.replace(/"/g, '""')}"` : text;
}

export function toCsv(columns: string[], rows: (Json | undefined)[][]): string {
  return [columns.map(csvCell), ...rows.map((row) => row.map(csvCell))].map((row) => row.join(',')).join('\r\n') + '\r\n';
}

export function download(name: string, type: string, content: string): void {
  const address = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name.replace(/[^\w.-]+/g, '_');
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

import { exportProfile, importProfile } from '../../../app/profile/portable.ts';
import { mayConfirm } from '../../../core/trust/trust.ts';
import type { Memory } from '../../../app/memory/memory.ts';
import { ok, refuse } from '../../../core/result.ts';
import type { CommandResult, CommandContext } from '../command.ts';
import { packTo } from '../commands/transfer/export.ts';
import { importBundles } from '../commands/transfer/import-bundle.ts';
import { inert } from '../paint.ts';

/** A bundle holds the whole user memory; other files hold only the profile. */
const isBundle = (file: string): boolean => /\.t?gz$/i.test(file);

/** The profile as one file, or on standard output for `-`. */
export async function exportTo(cli: CommandContext, user: Memory, file: string): Promise<CommandResult> {
  if (isBundle(file)) return packTo(cli, file, 'user');
  const profile = await exportProfile(user);
  const text = `${JSON.stringify(profile, null, 2)}\n`;
  if (file === '-') return ok({ json: profile, lines: [text.trimEnd()] });
  const written = await cli.writeOutput(file, text);
  if (!written.ok) return written;
  return ok({
    json: { ok: true, file: written.value, files: profile.files.length },
    lines: [inert(`Exported ${profile.files.length} files to ${written.value}`)],
  });
}

/** Adds new notes, keeps existing ones, and reports those that differ. */
export async function importFrom(cli: CommandContext, user: Memory, file: string): Promise<CommandResult> {
  if (isBundle(file)) return importBundles(cli, [file]);
  if (!mayConfirm(cli.actor))
    return refuse('SECURITY_ERROR', 'Only a person imports a profile, and this is the shell of an agent.', {
      hint: `run holdfast user import ${file} in a terminal of your own`,
    });
  const source = await cli.readInput(file);
  if (!source.ok) return source;
  const imported = await importProfile(user, source.value, { actor: 'import' });
  if (!imported.ok) return imported;
  const { created, merged, unchanged, conflicts } = imported.value;
  return ok({
    json: { ok: true, created, merged, unchanged, conflicts },
    lines: [
      ...[...created, ...merged].map((path) => inert(`📝 Noted: ${path}`)),
      `${created.length} new, ${merged.length} merged, ${unchanged.length} unchanged`,
    ],
    warnings: conflicts.map(
      ({ path, yours, theirs }) => `${path} differs. Kept yours: ${JSON.stringify(yours.slice(0, 120))}; the file has: ${JSON.stringify(theirs.slice(0, 120))}`,
    ),
  });
}

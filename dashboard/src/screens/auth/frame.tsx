import { useEffect, type ReactNode } from "react";
import { useLocale } from "../../words/locale.tsx";
import { Button } from "../../kit/button.tsx";

/** The frame of pages without a session: one card in the middle. */
export function Frame({ title, children }: { title: string; children: ReactNode }) {
  const { locale, setLocale } = useLocale();
  useEffect(() => {
    document.title = `${title} · Waybill`;
  }, [title]);
  return (
    <main className="flex min-h-dvh flex-col items-center px-4 py-[10vh]">
      <img src="/app/icon.svg" alt="" className="mb-4 size-11 rounded-xl" />
      <h1 className="mb-6 text-center text-xl font-semibold tracking-tight">{title}</h1>
      <div className="w-full max-w-sm rounded-xl border border-line bg-surface p-6 shadow-card">
        {children}
      </div>
      <div className="mt-4">
        <Button
          variant="quiet"
          size="sm"
          icon="globe"
          onPress={() => setLocale(locale === "en" ? "fr" : "en")}
        >
          {locale === "en" ? "Français" : "English"}
        </Button>
      </div>
    </main>
  );
}

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { authCall } from "../../auth.ts";
import { Button } from "../../kit/button.tsx";
import { Card } from "../../kit/card.tsx";
import { Form } from "../../kit/form.tsx";
import { Page } from "../../kit/page.tsx";
import { RadioGroup } from "../../kit/radio-group.tsx";
import { SaveButton } from "../../kit/save-button.tsx";
import { TextField } from "../../kit/text-field.tsx";
import { useChangePreferences } from "../../preferences.ts";
import { sessionQuery, useSession, type Me } from "../../session.ts";
import { toast } from "../../shell/toasts.tsx";
import { applyTheme, readTheme, type Theme } from "../../theme.ts";
import { useLocale, useWords, type Locale } from "../../words/locale.tsx";
import { Leave } from "./leave.tsx";
import { Sessions } from "./sessions.tsx";
import { TwoSteps } from "./two-steps.tsx";
import { teamWords } from "./words.ts";

/** The person's own name, look, password, second step and sessions. */
export default function Profile() {
  const words = useWords(teamWords);
  return (
    <Page title={words.profile} description={words.profileText} width="narrow">
      <About />
      <Password />
      <TwoSteps />
      <Sessions />
      <Leave />
    </Page>
  );
}

function About() {
  const words = useWords(teamWords);
  const client = useQueryClient();
  const { user } = useSession();
  const { locale, setLocale } = useLocale();
  const changePreferences = useChangePreferences();
  const [name, setName] = useState(user.name);
  const [language, setLanguage] = useState<Locale>(locale);
  const [theme, setTheme] = useState<Theme>(readTheme);
  const submit = async () => {
    const me = await authCall<Me>("PUT", "/me", { body: { name, locale: language } });
    await changePreferences((before) => ({ ...before, theme, locale: language }));
    client.setQueryData(sessionQuery.queryKey, me);
    applyTheme(theme);
    setLocale(language);
    toast(words.saved);
  };
  return (
    <Card title={words.about}>
      <Form onSubmit={submit}>
        {({ isPending }) => (
          <>
            <div className="grid gap-4 sm:grid-cols-2">
              <TextField
                label={words.name}
                name="name"
                autoComplete="name"
                value={name}
                onChange={setName}
              />
              <TextField
                label={words.email}
                value={user.email}
                isReadOnly
                description={words.emailFixed}
              />
              <RadioGroup
                label={words.language}
                name="locale"
                value={language}
                onChange={(id) => setLanguage(id as Locale)}
                choices={Object.entries(words.languages).map(([id, label]) => ({ id, label }))}
              />
              <RadioGroup
                label={words.theme}
                value={theme}
                onChange={(id) => setTheme(id as Theme)}
                choices={Object.entries(words.themes).map(([id, label]) => ({ id, label }))}
              />
            </div>
            <SaveButton isPending={isPending} />
          </>
        )}
      </Form>
    </Card>
  );
}

function Password() {
  const words = useWords(teamWords);
  const client = useQueryClient();
  const { user } = useSession();
  const [password, setPassword] = useState("");
  const [next, setNext] = useState("");
  const submit = async () => {
    await authCall("POST", "/me/password", { body: { password, new_password: next } });
    setPassword("");
    setNext("");
    toast(words.passwordSet);
    await client.invalidateQueries({ queryKey: ["sessions"] });
  };
  return (
    <Card title={words.password}>
      <Form onSubmit={submit}>
        {({ isPending }) => (
          <>
            {/* Password managers read from it whose password this is. */}
            <input type="hidden" autoComplete="username" value={user.email} readOnly />
            <div className="grid gap-4 sm:grid-cols-2">
              <TextField
                label={words.present}
                name="password"
                type="password"
                autoComplete="current-password"
                value={password}
                onChange={setPassword}
              />
              <TextField
                label={words.next}
                name="new_password"
                type="password"
                autoComplete="new-password"
                description={words.nextHint}
                value={next}
                onChange={setNext}
              />
            </div>
            <div className="flex flex-wrap items-center gap-3">
              <Button type="submit" isPending={isPending}>
                {words.setPassword}
              </Button>
              <span className="text-sm text-faint">{words.passwordNote}</span>
            </div>
          </>
        )}
      </Form>
    </Card>
  );
}

// An example of the generated Go client: an agreement, a payment, a refund, the events and a batch.
package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"payto-flow/payto"
)

const waitSeconds = 20

type flow struct {
	client *payto.ClientWithResponses
	run    string
}

func main() {
	authorise := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv("PAYTO_API_KEY"))
		return nil
	}
	client, err := payto.NewClientWithResponses(os.Getenv("PAYTO_URL"), payto.WithRequestEditorFn(authorise))
	if err != nil {
		log.Fatal(err)
	}
	f := flow{client: client, run: "go-" + strings.ToLower(rand.Text()[:8])}
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	steps := []func(context.Context) error{
		f.activateAgreement, f.settlePayment, f.refundPart, f.readEvents, f.payInABatch, f.readAProblem,
	}
	for _, step := range steps {
		if err := step(ctx); err != nil {
			log.Fatal(err)
		}
	}
}

func (f flow) activateAgreement(ctx context.Context) error {
	body := payto.CreateAgreement{
		Uid:          f.run,
		Connection:   pointerTo(os.Getenv("PAYTO_CONNECTION")),
		Purpose:      "utility",
		Description:  "Plan 77",
		Debtor:       payto.Debtor{PartyName: pointerTo("A Payer"), AccountIdentifier: bban("200001-12340001")},
		Creditor:     &payto.Creditor{PartyName: pointerTo("Sandbox Biller"), AccountIdentifier: bban("200002-55550001")},
		PaymentTerms: payto.PaymentTerms{Type: "variable", Frequency: "adhoc", MaxAmount: pointerTo(25_000)},
	}
	params := &payto.CreateAgreementParams{Wait: pointerTo(waitSeconds)}
	answer, err := f.client.CreateAgreementWithResponse(ctx, params, body)
	if err != nil {
		return err
	}
	if answer.JSON202 == nil {
		return problemIn(answer.Body)
	}
	return expect("agreement", "active", answer.JSON202.Data.State)
}

func bban(value string) *payto.AccountIdentifier {
	return &payto.AccountIdentifier{Type: "bban", Value: value}
}

func (f flow) payment() string { return f.run + "-payment" }

func (f flow) settlePayment(ctx context.Context) error {
	body := payto.CreatePayment{
		Uid:               pointerTo(f.payment()),
		Amount:            4_200,
		Reference:         pointerTo("INV 5"),
		Description:       pointerTo("October"),
		CreditorReference: pointerTo("C-5"),
	}
	requested, err := f.client.RequestPaymentWithResponse(ctx, f.run, &payto.RequestPaymentParams{}, body)
	if err != nil {
		return err
	}
	if requested.JSON202 == nil {
		return problemIn(requested.Body)
	}
	params := &payto.GetPaymentParams{Wait: pointerTo(waitSeconds)}
	answer, err := f.client.GetPaymentWithResponse(ctx, f.payment(), params)
	if err != nil {
		return err
	}
	if answer.JSON200 == nil {
		return problemIn(answer.Body)
	}
	return expect("payment", "settled", answer.JSON200.Data.State)
}

func (f flow) refundPart(ctx context.Context) error {
	account, err := uuid.Parse(os.Getenv("PAYTO_FLOAT_ACCOUNT"))
	if err != nil {
		return err
	}
	body := payto.CreateRefund{Uid: pointerTo(f.run + "-refund")}
	err = body.RefundPayment.FromRefundFromFloatAccount(payto.RefundFromFloatAccount{
		Type:               "float_bank_payment",
		FloatBankAccountId: account,
		Amount:             1_500,
		Description:        pointerTo("REFUND part"),
	})
	if err != nil {
		return err
	}
	params := &payto.RequestRefundParams{Wait: pointerTo(waitSeconds)}
	answer, err := f.client.RequestRefundWithResponse(ctx, f.payment(), params, body)
	if err != nil {
		return err
	}
	if answer.JSON202 == nil {
		return problemIn(answer.Body)
	}
	return expect("refund", "processed", answer.JSON202.Data.State)
}

// Events are stored after the change that they describe.
func (f flow) readEvents(ctx context.Context) error {
	params := &payto.ListEventsParams{Resource: pointerTo(f.payment()), Wait: pointerTo(waitSeconds)}
	return until(ctx, "the event payment.settled", func() (bool, error) {
		answer, err := f.client.ListEventsWithResponse(ctx, params)
		if err != nil {
			return false, err
		}
		if answer.JSON200 == nil {
			return false, problemIn(answer.Body)
		}
		isSettled := func(event payto.Event) bool { return event.Type == "payment.settled" }
		return slices.ContainsFunc(answer.JSON200.Data, isSettled), nil
	})
}

func (f flow) payInABatch(ctx context.Context) error {
	id, uids := f.run+"-batch", []string{f.run + "-row-0", f.run + "-row-1"}
	batch := payto.PaymentsBatch{Id: &id, Kind: "payments"}
	for _, uid := range uids { // The other fields of a row are those of a payment.
		fields := map[string]any{
			"agreement_uid": f.run, "amount": 1_000,
			"reference": "INV 6", "description": "November", "creditor_reference": "C-6",
		}
		batch.Rows = append(batch.Rows, payto.PaymentsBatch_Rows_Item{Uid: uid, AdditionalProperties: fields})
	}
	var body payto.CreateBatch
	if err := body.FromPaymentsBatch(batch); err != nil {
		return err
	}
	created, err := f.client.CreateBatchWithResponse(ctx, &payto.CreateBatchParams{}, body)
	if err != nil {
		return err
	}
	if created.JSON202 == nil {
		return problemIn(created.Body)
	}
	if err := f.untilDone(ctx, id); err != nil {
		return err
	}
	page, err := f.client.ListBatchRowsWithResponse(ctx, id, &payto.ListBatchRowsParams{})
	if err != nil {
		return err
	}
	if page.JSON200 == nil {
		return problemIn(page.Body)
	}
	found := make([]string, len(page.JSON200.Data))
	for index, row := range page.JSON200.Data {
		found[index] = row.Uid
	}
	return expect("batch rows", strings.Join(uids, ", "), strings.Join(found, ", "))
}

func (f flow) untilDone(ctx context.Context, batch string) error {
	return until(ctx, "the batch to be done", func() (bool, error) {
		answer, err := f.client.GetBatchWithResponse(ctx, batch, &payto.GetBatchParams{})
		if err != nil {
			return false, err
		}
		if answer.JSON200 == nil {
			return false, problemIn(answer.Body)
		}
		return answer.JSON200.Data.State == "done", nil
	})
}

func (f flow) readAProblem(ctx context.Context) error {
	answer, err := f.client.GetPaymentWithResponse(ctx, f.run+"-none", &payto.GetPaymentParams{})
	if err != nil {
		return err
	}
	if answer.ApplicationproblemJSON404 == nil {
		return fmt.Errorf("expected a problem with the status 404, found %s", answer.Status())
	}
	return expect("problem code", "not_found", answer.ApplicationproblemJSON404.Code)
}

// Repeats the check until it is true, or until the context ends.
func until(ctx context.Context, what string, check func() (bool, error)) error {
	for {
		isTrue, err := check()
		if err != nil {
			return err
		}
		if isTrue {
			fmt.Println(what)
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("expected %s: %w", what, ctx.Err())
		case <-time.After(200 * time.Millisecond):
		}
	}
}

func problemIn(body []byte) error {
	var problem payto.Problem
	if err := json.Unmarshal(body, &problem); err != nil {
		return fmt.Errorf("expected a problem, found %s", body)
	}
	return fmt.Errorf("%d %s: %s", problem.Status, problem.Code, problem.Detail)
}

func expect[T ~string](what string, expected T, found T) error {
	if found != expected {
		return fmt.Errorf("%s: expected %s, found %s", what, expected, found)
	}
	fmt.Printf("%s: %s\n", what, found)
	return nil
}

func pointerTo[T any](value T) *T { return &value }
